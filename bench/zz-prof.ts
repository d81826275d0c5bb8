// scratch: node bench/zz-prof.ts CALL SECONDS
import { mkdtempSync, rmSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@bursar/contract';
import { seedReseller } from './seed.ts';
import { openLoad } from './open-load.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
const folder = mkdtempSync(join(tmpdir(), 'prof-'));
const N = 20000;
const reseller = await seedReseller({ BURSAR_DATA_DIR: folder }, 'bench', N);
const target = process.argv[4] ?? 'bursar.ts';
const child = spawn(process.execPath, ['--cpu-prof', '--cpu-prof-dir', folder + '/p', join(import.meta.dirname, 'targets', target)], { env: { ...process.env, BURSAR_DATA_DIR: folder, BURSAR_PORT: '0', BURSAR_OPS_PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(child.stdout!, 'data');
const { url } = JSON.parse(String(line).split('\n').find((l) => l.startsWith('{"url'))!);
const calls: any = { my_info: { path: endpoints.myInfo.path }, view_single: { path: endpoints.viewSubUser.path, body: {} }, give_balance: { path: endpoints.giveBalance.path, body: { amount_usd_cents: 1 } } };
const load = await openLoad(url, { resellers: [reseller], subUsers: N, ...calls[process.argv[2]!] }, 64);
const r = await load.run(Number(process.argv[3] ?? 4) * 1000);
console.log(r.requests / r.seconds);
load.close();
child.kill('SIGTERM');
await once(child, 'exit');
for (const f of readdirSync(folder + '/p')) {
	const p = JSON.parse(readFileSync(join(folder, 'p', f), 'utf8'));
	const self = new Map<string, number>();
	const byId = new Map(p.nodes.map((n: any) => [n.id, n]));
	let total = 0;
	p.samples.forEach((id: number, i: number) => {
		const n: any = byId.get(id);
		const fn = n.callFrame;
		if (fn.functionName === '(idle)') return;
		const key = `${fn.functionName || 'anon'} ${fn.url.split('/').slice(-2).join('/')}:${fn.lineNumber + 1}`;
		self.set(key, (self.get(key) ?? 0) + p.timeDeltas[i]);
		total += p.timeDeltas[i];
	});
	console.log(f, 'busy ms', total / 1000);
	for (const [k, v] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 45)) console.log((v / r.requests).toFixed(2).padStart(7), 'us', k);
}
rmSync(folder, { recursive: true });
