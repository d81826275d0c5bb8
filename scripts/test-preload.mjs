// Runs first in each process of `npm test`, and in its threads: lets them load some modules from a few bundled files.
import { registerHooks } from 'node:module';

/** The addresses of these files, by what the sources import or start. */
const bundled = JSON.parse(process.env.BURSAR_TEST_BUNDLED ?? '{}');

registerHooks({
	resolve: (specifier, context, next) => next(bundled[specifier] ?? specifier, context),
});
