// Runs first in each process of tests, and in its threads.
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** The addresses of a few bundled files, by what the sources import or start. Only `npm test` has some. */
const bundled = JSON.parse(process.env.BURSAR_TEST_BUNDLED ?? '{}');

registerHooks({
	resolve: (specifier, context, next) => next(bundled[specifier] ?? specifier, context),
});

/** Many times what the slowest group takes. */
const FILE_LIMIT_MS = Number(process.env.BURSAR_TEST_FILE_LIMIT_MS ?? 15 * 60_000);

// If a hook fails, those after it do not run, and what they would have ended keeps the process alive.
const isRunner = process.env.NODE_TEST_CONTEXT === undefined;
if (isMainThread && !isRunner) setTimeout(stop, FILE_LIMIT_MS).unref();

function stop() {
	const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
	process.stdout.write(`These tests did not end within ${FILE_LIMIT_MS} ms. Still open: ${open}\n`);
	process.exit(1);
}
