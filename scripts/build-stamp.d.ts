/** The build writes this file last; it holds the Node version. */
export declare const stampOf: (root: string) => string
/** True if the build was made by this Node and is newer than all of its sources. */
export declare const isBuilt: (root: string) => boolean
