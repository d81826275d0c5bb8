import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from '../src/csv.ts';
import { parseCsvLine } from '../src/parse-csv-line.ts';

test('a line of CSV is read as in RFC 4180: quotes, doubled quotes, commas inside quotes', () => {
	for (const [line, cells] of [
		['alice', ['alice']],
		['', ['']],
		[' alice , 250 ', ['alice', '250']],
		['"alice","250"', ['alice', '250']],
		['  "alice"\t, 250', ['alice', '250']],
		['"a ""quoted"" name","1,000",', ['a "quoted" name', '1,000', '']],
		['""', ['']],
		[',', ['', '']],
	] as const) {
		assert.deepEqual(parseCsvLine(line), cells, line);
	}
	for (const line of ['"alice', 'al"ice', '"alice"x', '"alice" x,5', 'alice,"5', '"a"b"', '"""']) {
		assert.equal(parseCsvLine(line), undefined, line);
	}
	assert.deepEqual(parseCsvLine(csvLine(['a "b", c', 5])), ['a "b", c', '5']);
});
