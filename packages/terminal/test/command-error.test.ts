import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact, usageError, usd } from '../src/index.ts';

const TOKEN = `brs_${'a1B2'.repeat(11)}`;

test('redact removes tokens, database passwords and given secrets', () => {
	assert.equal(redact(`no sub-user ${TOKEN}x is there`), 'no sub-user brs_[redacted] is there');
	assert.equal(redact('brs_short is no token'), 'brs_short is no token');
	assert.equal(redact('postgres://me:open sesame@x'), 'postgres://me:open sesame@x');
	assert.equal(redact('/data/postgres:/me:sesame@host/db'), '/data/postgres:/me:***@host/db');
	assert.equal(redact('postgres://user:password@host'), 'postgres://user:password@host', 'our own example');
	assert.equal(redact('one, one-two', ['one', 'one-two']), '[redacted], [redacted]', 'the longest first');
	assert.equal(redact(`my.${TOKEN}`, [`my.${TOKEN}`]), '[redacted]');
});

test('the message for wrong arguments does not repeat the arguments', () => {
	const program = { name: () => 'bursar', parent: null };
	const say = (code: string, message: string) => {
		const error = usageError({ code: `commander.${code}`, message }, program);
		assert.match(error.message, / \(see bursar --help\)$/);
		return error.message.replace(/ \(see bursar --help\)$/, '');
	};
	const suggestion = '(Did you mean --json?)';
	assert.equal(
		say('unknownOption', `error: unknown option '--jsn'\n${suggestion}`),
		`unknown option --jsn ${suggestion}`,
	);
	assert.equal(say('unknownOption', `error: unknown option '--tokn=${TOKEN}'`), 'unknown option --tokn');
	assert.equal(say('unknownOption', `error: unknown option '-${TOKEN}'`), 'unknown option');
	assert.equal(say('unknownCommand', `error: unknown command '${TOKEN}'`), 'unknown command');
	assert.equal(say('unknownCommand', "error: unknown command 'opensesame'"), 'unknown command');
	const near = '\n(Did you mean sub-user?)';
	assert.equal(
		say('unknownCommand', `error: unknown command 'sub-usr'${near}`),
		'unknown command sub-usr (Did you mean sub-user?)',
	);
	assert.equal(say('excessArguments', `error: too many arguments: ${TOKEN}`), 'too many arguments');
	const invalid = `error: command-argument value '${TOKEN}' is invalid for argument 'cents'. Too large.`;
	assert.equal(say('invalidArgument', invalid), "argument value is invalid for argument 'cents'. Too large.");
	assert.equal(say('missingArgument', "error: missing required argument 'name'"), "missing required argument 'name'");
	assert.equal(say('anythingElse', TOKEN), 'the arguments cannot be read');
});

test('the message for wrong arguments names the help of the command', () => {
	const reseller = { name: () => 'reseller', parent: { name: () => 'bursar', parent: null } };
	const create = { name: () => 'create', parent: reseller };
	const { message } = usageError({ code: 'commander.excessArguments', message: '' }, create);
	assert.equal(message, 'too many arguments (see bursar reseller create --help)');
});

test('cents are written as dollars', () => {
	for (const [cents, text] of [
		[0, '0.00'],
		[5, '0.05'],
		[-5, '-0.05'],
		[1234, '12.34'],
		[Number.MAX_SAFE_INTEGER, '90071992547409.91'],
	] as const) {
		assert.equal(usd(cents), text);
	}
});
