/** What a build writes last: the version of its Node. */
export declare const stampOf: (root: string) => string
/** Whether what is built is of this Node, and newer than all that it is built from. */
export declare const isBuilt: (root: string) => boolean
