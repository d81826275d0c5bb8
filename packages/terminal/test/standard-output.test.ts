import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const TERMINAL = JSON.stringify(join(import.meta.dirname, '../src/index.ts'));
const withoutShell = { skip: process.platform === 'win32' && 'there is no sh here' };
const withoutFull = { skip: process.platform !== 'linux' && 'there is no /dev/full here' };

/** Runs a program under a shell script. It prints on stderr what the guard reports and what the body throws. */
function run(body: string, script = '"$@"') {
	const program = `
		import { guardOutput, print, printSurely, say } from ${TERMINAL};
		const said = (what) => ({ code, message }) => process.stderr.write(\`\${what} \${code}: \${message}\\n\`);
		guardOutput(said('told'));
		try { ${body} } catch (error) { said('caught')(error); }
	`;
	const args = ['-c', script, 'sh', process.execPath, '--input-type=module', '-e', program];
	const { stdout, stderr, status } = spawnSync('sh', args, { encoding: 'utf8', timeout: 60_000 });
	return { stdout, stderr, status };
}

function temporaryFile(t: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-test-'));
	t.after(() => rmSync(folder, { recursive: true }));
	return join(folder, 'output');
}

const UNWRITTEN = 'output_failed: standard output could not be written';

test('lines reach a pipe and a file complete and in order, and cannot steer a terminal', withoutShell, (t) => {
	const lines = "print(['a\\u001b[2J', 'b']); await printSurely(['c', 'd\\u202e']); print(['e']);";
	const expected = 'a\\u001b[2J\nb\nc\nd\\u202e\ne\n';
	assert.deepEqual(run(lines), { stdout: expected, stderr: '', status: 0 });
	const file = temporaryFile(t);
	assert.deepEqual(run(lines, `"$@" > '${file}'`), { stdout: '', stderr: '', status: 0 });
	assert.equal(readFileSync(file, 'utf8'), expected);
});

test('a pipe that does not block, because another process set it so, gets everything', withoutShell, () => {
	const other = `"$1" -e 'new (require("node:net").Socket)({ fd: 1, readable: false }); setTimeout(() => {}, 3000)'`;
	for (const way of ["print(['x'.repeat(1_000_000)]);", "await printSurely(['x'.repeat(1_000_000)]);"]) {
		const { stdout, stderr } = run(way, `{ ${other} & sleep 1; "$@"; wait; } | { sleep 2; wc -c; }`);
		assert.deepEqual([Number(stdout), stderr], [1_000_001, '']);
	}
});

test('a full device is reported once: to the caller that waits for the line, if there is one', withoutFull, () => {
	const full = '"$@" > /dev/full';
	assert.equal(run("print(['a']); print(['b']);", full).stderr, `told ${UNWRITTEN} (ENOSPC)\n`);
	assert.equal(run("await printSurely(['a']); ", full).stderr, `caught ${UNWRITTEN} (ENOSPC)\n`);
	assert.equal(run("await printSurely(['a']);", full).stderr, `caught ${UNWRITTEN} (ENOSPC)\n`);
});

test('a file that takes only half of a line is a failure at once', withoutShell, (t) => {
	const limited = `trap '' XFSZ; ulimit -f 1; "$@" > '${temporaryFile(t)}'`;
	for (const way of ['print', 'await printSurely']) {
		assert.equal(run(`${way}(['x'.repeat(5000)]);`, limited).stderr, `caught ${UNWRITTEN} (EFBIG)\n`);
	}
});

test('a reader that is gone is no failure, except for a caller that waits for the line', withoutShell, () => {
	const gone = '"$@" | true';
	const wait = 'await new Promise((resolve) => setTimeout(resolve, 500)); ';
	assert.deepEqual(run(`${wait} print(['a']);`, gone), { stdout: '', stderr: '', status: 0 });
	const { stderr } = run(`${wait} await printSurely(['a']);`, gone);
	assert.equal(stderr, `caught ${UNWRITTEN} (its reader is gone)\n`);
	assert.deepEqual(run("say('a');", '"$@" 2>&- | true'), { stdout: '', stderr: '', status: 0 });
});
