import type { StoredState } from './state.js'

export const checkShapes = (_state: StoredState, _name: string): void => {}
