/** An address of the console in a world: those of the default world name none. */
export const addressIn = (worldId: string | undefined, path: string): string => {
  if (worldId === undefined) return path
  const [rest = '', hash] = path.split('#')
  const named = `${rest}${rest.includes('?') ? '&' : '?'}world=${worldId}`
  return hash === undefined ? named : `${named}#${hash}`
}
