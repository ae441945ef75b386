/** A number as people write it, `+1 (500) 555-0100`, without what is there for the eye. */
export const plainNumber = (text: string) => text.replace(/[\s().-]/g, '');
