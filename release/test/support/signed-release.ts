import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowedSigners, sign, stampInstaller } from '../../src/signing.ts';

/** A key that signs releases of a test. */
export function makeSigningKey(folder: string, name = 'key'): string {
	const file = join(folder, name);
	execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
	return file;
}

/** Makes a folder that a server of releases has: the files, the installer, their checksums and the signature of these. */
export async function makeSignedRelease(
	folder: string,
	version: string,
	files: Readonly<Record<string, Buffer>>,
	keyFile: string | null,
): Promise<void> {
	mkdirSync(folder, { recursive: true });
	for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
	await stampInstaller(folder, {
		version,
		releasesUrl: 'https://releases.invalid',
		allowedSigners: keyFile === null ? undefined : await allowedSigners(keyFile),
	});
	const names = readdirSync(folder).filter((name) => !name.startsWith('SHA256SUMS'));
	const sum = (name: string) =>
		createHash('sha256')
			.update(readFileSync(join(folder, name)))
			.digest('hex');
	writeFileSync(join(folder, 'SHA256SUMS'), names.map((name) => `${sum(name)}  ${name}\n`).join(''));
	if (keyFile) await sign(folder, keyFile);
}

/** An entry of a tar archive, by default a file that its owner can run. */
export interface TarEntry {
	readonly name: string;
	readonly content?: string;
	/** `0` a file, `1` a hard link, `2` a link, `3` a device, `5` a folder. */
	readonly type?: '0' | '1' | '2' | '3' | '5';
	readonly target?: string;
	readonly mode?: number;
}

/** A tar archive with just these entries, however wrong, compressed with xz. */
export function packTar(entries: readonly TarEntry[]): Buffer {
	const blocks = entries.flatMap(({ name, content = '', type = '0', target = '', mode = 0o755 }) => {
		const header = Buffer.alloc(512);
		const octal = (value: number, at: number, length: number) =>
			header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
		header.write(name, 0, 100);
		octal(mode, 100, 8);
		octal(0, 108, 8);
		octal(0, 116, 8);
		octal(Buffer.byteLength(content), 124, 12);
		octal(0, 136, 12);
		header.write('        ', 148);
		header.write(type, 156);
		header.write(target, 157, 100);
		header.write('ustar\x0000', 257);
		octal(
			header.reduce((sum, byte) => sum + byte, 0),
			148,
			7,
		);
		const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
		body.write(content);
		return [header, body];
	});
	return compress(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

export function compress(content: Buffer): Buffer {
	return execFileSync('xz', ['-1', '--stdout'], { input: content, maxBuffer: 2 ** 27 });
}
