/** Time limit of requests about a whole file, such as one of a million lines, in milliseconds. */
export const FILE_MS = 1_800_000;

/** Offers a file to the browser as a download. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Has the browser download what is at a URL of this service. */
export function download(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
