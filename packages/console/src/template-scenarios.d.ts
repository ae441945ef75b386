/** The scenarios of each template, by its key: written by the build. */
declare module 'template-scenarios' {
  const texts: Record<string, string[]>;
  export default texts;
}
