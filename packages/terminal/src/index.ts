export { readBoundedFile } from './bounded-file.ts';
export { csvLine } from './csv.ts';
export { visible } from './visible.ts';
