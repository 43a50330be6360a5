export const exceedsDepth = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => exceedsDepth(inner, levels - 1)))
