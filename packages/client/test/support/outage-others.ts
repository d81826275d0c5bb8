// A process on the server's machine of a routed network. It moves balance of the sub-users that a walk changes at the same
// time, until a line comes in.
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Bursar } from '../../src/index.ts';
import { GIVEN_CENTS } from './outage-walk.ts';

const [baseUrl = '', token = '', ...usernames] = process.argv.slice(2);
const client = new Bursar({ baseUrl, token });
let isOver = false;
createInterface({ input: process.stdin }).once('line', () => {
	isOver = true;
});
let moves = 0;
while (!isOver) {
	for (const username of usernames) {
		if (isOver) break;
		await client.subUsers.give(username, GIVEN_CENTS + 1);
		await client.subUsers.take(username, GIVEN_CENTS - 1);
		moves += 2;
	}
	await setTimeout(20);
}
process.stdout.write(`${moves}\n`);
process.exit(0);
