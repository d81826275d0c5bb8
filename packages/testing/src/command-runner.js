// The child process of `command-runs.ts`. It runs a command line again and again, as messages ask.
const [file, name] = process.argv.slice(2);
const own = { ...process.env };

process.once('disconnect', () => process.exit());
const { [name]: run } = await import(file);
process.on('message', async ({ args, environment }) => {
	process.env = { ...own, ...environment };
	process.exitCode = 0;
	const code = (await run(['node', name, ...args])) ?? process.exitCode;
	for (const stream of [process.stdout, process.stderr]) await new Promise((resolve) => stream.write('\0', resolve));
	// A process of its own would end with them.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
	process.send({ code });
});
process.send('ready');
