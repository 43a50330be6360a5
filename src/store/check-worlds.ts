import type { FoundWorld } from './rebuild.js'

export const checkWorlds = (_worlds: ReadonlyMap<string, FoundWorld>, _name: string): void => {}
