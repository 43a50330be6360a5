# Builds with everything that is needed to build.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

# Runs with nothing but the sandbox: what it imports is bundled into dist/.
FROM node:24-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/fixtures ./fixtures
COPY --from=build /app/scenarios ./scenarios
COPY --from=build /app/openapi ./openapi
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4020
EXPOSE 4020
# With --tls plain HTTP is refused by 403: that is a sandbox in good health, too.
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/_sandbox/health`).then((it) => process.exit(it.ok || it.status === 403 ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli.js", "start"]
