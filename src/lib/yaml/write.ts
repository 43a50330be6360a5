// A module of its own, so that callers can load the package with their first text.
export { stringify as writeYaml } from 'yaml'
