# Builds with everything that is needed to build.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && rm -rf docs/screenshots docs/decisions

# Runs with nothing but the sandbox: what it imports is bundled into dist/.
FROM node:24-slim
LABEL org.opencontainers.image.title=sandramp org.opencontainers.image.licenses=MIT
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/llms.txt /app/README.md /app/FIDELITY.md ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/fixtures ./fixtures
COPY --from=build /app/scenarios ./scenarios
COPY --from=build /app/templates ./templates
COPY --from=build /app/openapi ./openapi
COPY --from=build /app/docs ./docs
# A new volume takes the owner of the folder that it is mounted on.
RUN install -d -o node -g node /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4020
EXPOSE 4020
# Over HTTP, else over HTTPS, whatever the certificate.
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s --retries=3 \
  CMD ["node", "-e", "const ask = (it) => new Promise((tell) => require(it).get({ host: '127.0.0.1', port: process.env.PORT, path: '/_sandbox/health', rejectUnauthorized: false }, ({ statusCode }) => tell(statusCode === 200)).on('error', () => tell(false))); ask('http').then((ok) => ok || ask('https')).then((ok) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["node", "dist/cli.js", "start"]
