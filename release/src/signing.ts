import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a signature is for, and whose it is. `install.sh` and the documentation name it too. */
const NAMESPACE = 'bursar-release';
const LIST = 'SHA256SUMS';
/** A file beside the others, for those who check the signature themselves. */
const SIGNERS = 'allowed_signers';
const INSTALLER = join(import.meta.dirname, '../install.sh');

/** What the release writes into its `install.sh`. */
export interface InstallerFacts {
	readonly version: string;
	/** Has a folder `vVERSION` with the files of each version. */
	readonly releasesUrl: string;
	/** A line for `ssh-keygen -Y verify`, from `allowedSigners`. Absent: the release is not signed. */
	readonly allowedSigners: string | undefined;
}

/** The line that lets the key sign releases. The file has the private key, or the public one of a key in an agent. */
export async function allowedSigners(keyFile: string): Promise<string> {
	const text = await readFile(keyFile, 'utf8');
	const isPublic = /^(ssh|sk-ssh)-ed25519\S* /.test(text);
	const publicKey = isPublic ? text : (await run('ssh-keygen', ['-y', '-f', keyFile])).stdout;
	const [type, key] = publicKey.trim().split(/\s+/);
	// The signatures of other kinds of keys are not the same each time, and a release must be.
	if (!type?.includes('ed25519') || key === undefined) throw new Error('the signing key must be of the type ed25519');
	return `${NAMESPACE} namespaces="${NAMESPACE}" ${type} ${key}`;
}

/** Writes `install.sh`, and the file with the allowed signers if there is a key. */
export async function stampInstaller(outFolder: string, facts: InstallerFacts): Promise<void> {
	const { version, releasesUrl, allowedSigners: signers = '' } = facts;
	const stamps = { RELEASED_VERSION: version, RELEASES_URL: releasesUrl, ALLOWED_SIGNERS: signers };
	let text = await readFile(INSTALLER, 'utf8');
	for (const [name, value] of Object.entries(stamps)) {
		if (/['\n]/.test(value)) throw new Error(`${name} cannot stand in a shell's quotes: ${value}`);
		if (text.split(`\n${name}=''\n`).length !== 2) throw new Error(`install.sh has no single line for ${name}`);
		text = text.replace(`\n${name}=''\n`, () => `\n${name}='${value}'\n`);
	}
	await writeFile(join(outFolder, 'install.sh'), text, { mode: 0o755 });
	if (signers !== '') await writeFile(join(outFolder, SIGNERS), `${signers}\n`);
}

/** Signs `SHA256SUMS` with the key, as `SHA256SUMS.sig`, and checks that the signature is accepted. */
export async function sign(outFolder: string, keyFile: string): Promise<void> {
	const list = join(outFolder, LIST);
	// ssh-keygen asks whether it may replace a file.
	await rm(`${list}.sig`, { force: true });
	await run('ssh-keygen', ['-Y', 'sign', '-f', keyFile, '-n', NAMESPACE, list]);
	await verify(outFolder);
}

/** Rejects unless the signature of `SHA256SUMS` is good and the allowed signers stand beside it. */
async function verify(outFolder: string): Promise<void> {
	const at = (name: string) => join(outFolder, name);
	const checking = run('ssh-keygen', [
		...['-Y', 'verify', '-f', at(SIGNERS), '-I', NAMESPACE, '-n', NAMESPACE, '-s', at(`${LIST}.sig`)],
	]);
	checking.child.stdin?.end(await readFile(at(LIST)));
	await checking;
}
