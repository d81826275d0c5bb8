import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type Certificate, openCertificate } from '../../../src/proxy/client/certificate.ts';
import { KEY_FILE, pemFile } from '../../support/certificates.ts';

const EXPIRED_SECONDS = Date.UTC(2020, 0, 2) / 1000;
const SELF_SIGNED_SECONDS = new X509Certificate(readFileSync(pemFile('self-signed'))).validToDate.getTime() / 1000;
const OTHER_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PEM = { format: 'pem', type: 'pkcs8' } as const;

/** A certificate that has expired, with its key, looked at again and again, and what is logged about it. */
function newFiles(test: TestContext) {
	const folder = temporaryFolder(test);
	const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
	copyFileSync(pemFile('expired'), certificateFile);
	writeFileSync(keyFile, readFileSync(KEY_FILE), { mode: 0o600 });
	const lines: string[] = [];
	const logger = {
		info: (_fields: object, line: string) => void lines.push(line),
		error: (line: string) => void lines.push(line),
	};
	const open = (mayBeOpen = false): Certificate => {
		const certificate = openCertificate({
			certificateFile,
			keyFile,
			mayBeOpen,
			logger: logger as never,
			lookEveryMs: 5,
		});
		test.after(certificate.stop);
		return certificate;
	};
	return { certificateFile, keyFile, lines, open };
}

test('a certificate that is replaced is used, and the log says so', async (t) => {
	const { certificateFile, lines, open } = newFiles(t);
	const certificate = open();
	const { context } = certificate;
	assert.equal(certificate.expiresAtSeconds, EXPIRED_SECONDS);
	copyFileSync(pemFile('self-signed'), `${certificateFile}.new`);
	renameSync(`${certificateFile}.new`, certificateFile);
	await eventually(async () => assert.equal(certificate.expiresAtSeconds, SELF_SIGNED_SECONDS));
	assert.notEqual(certificate.context, context);
	assert.deepEqual(lines, ['there is a new certificate']);
});

test('a pair that cannot be used leaves the one before, is logged once, and is used as soon as it is whole', async (t) => {
	const { certificateFile, keyFile, lines, open } = newFiles(t);
	const certificate = open();
	const { context } = certificate;
	const looks = () => new Promise((resolve) => setTimeout(resolve, 50));
	const brokenPairs: readonly [RegExp, () => void][] = [
		[/ERR_OSSL_X509_KEY_VALUES_MISMATCH/, () => writeFileSync(keyFile, OTHER_KEY.privateKey.export(PEM))],
		[/the file of the key cannot be read \(ENOENT\)/, () => rmSync(keyFile)],
		[/both as PEM/, () => writeFileSync(certificateFile, 'no certificate')],
		[/has more than 1048576 bytes/, () => writeFileSync(certificateFile, Buffer.alloc(1_048_577))],
	];
	for (const [expected, breakPair] of brokenPairs) {
		lines.length = 0;
		breakPair();
		await eventually(async () => assert.match(lines[0] ?? '', expected));
		await looks();
		assert.equal(lines.length, 1, lines.join('\n'));
		assert.equal(certificate.context, context);
		// The next one breaks a pair that would be good.
		writeFileSync(keyFile, readFileSync(KEY_FILE), { mode: 0o600 });
	}
	copyFileSync(pemFile('self-signed'), certificateFile);
	await eventually(async () => assert.equal(certificate.expiresAtSeconds, SELF_SIGNED_SECONDS));
});

test('files that cannot be used stop the start, with a message that shows nothing of them', (t) => {
	const passphrase = { cipher: 'aes-256-cbc', passphrase: 'S3cretPassphrase' } as const;
	const cases: readonly [RegExp, (files: ReturnType<typeof newFiles>) => void][] = [
		[/the file of the certificate cannot be read \(ENOENT\)/, ({ certificateFile }) => rmSync(certificateFile)],
		[/the file of the key cannot be read \(ENOENT\)/, ({ keyFile }) => rmSync(keyFile)],
		[/the file of the key: others can read or change it/, ({ keyFile }) => chmodSync(keyFile, 0o644)],
		[/both as PEM/, ({ certificateFile }) => writeFileSync(certificateFile, '')],
		[/both as PEM/, ({ keyFile }) => writeFileSync(keyFile, '')],
		[/both as PEM/, ({ certificateFile, keyFile }) => copyFileSync(keyFile, certificateFile)],
		[/MISMATCH/, ({ keyFile }) => writeFileSync(keyFile, OTHER_KEY.privateKey.export(PEM))],
		[
			/the key without a passphrase/,
			({ keyFile }) => writeFileSync(keyFile, OTHER_KEY.privateKey.export({ ...PEM, ...passphrase })),
		],
	];
	for (const [expected, breakPair] of cases) {
		const files = newFiles(t);
		breakPair(files);
		assert.throws(
			() => files.open(),
			({ message }: Error) => {
				assert.match(message, expected);
				assert.doesNotMatch(message, /BEGIN|MII|S3cret/);
				return true;
			},
		);
	}
});

test('the file of the key may be open to others if the operator says so', (t) => {
	const { keyFile, open } = newFiles(t);
	chmodSync(keyFile, 0o644);
	assert.equal(open(true).expiresAtSeconds, EXPIRED_SECONDS);
});
