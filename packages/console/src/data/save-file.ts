/** Time limit of requests about a whole file, such as one of a million lines, in milliseconds. */
export const FILE_MS = 1_800_000;

/** Offers a file to the browser as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
