import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The paths of all files in a folder and in those below it. */
export async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}

/** The texts of these files; one that is gone meanwhile has none. */
export async function textIn(dir: string): Promise<string> {
  const texts = (await filesIn(dir)).map((file) => readFile(file, 'utf8').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}
