export { readBoundedFile } from './bounded-file.ts';
export { csvLine, parseCsvLine } from './csv.ts';
export { standardError } from './standard-error.ts';
export { visible } from './visible.ts';
