/** A noun as a heading begins with it. */
export const capitalized = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1)
