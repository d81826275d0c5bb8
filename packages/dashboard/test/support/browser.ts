// Lets a test draw components without a browser. Import it first, and the components afterwards with `await import()`:
// Node knows neither JSX nor CSS.
import { registerHooks } from 'node:module';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GlobalRegistrator } from '@happy-dom/global-registrator';
import type { DetachedWindowAPI } from 'happy-dom';
import { transformSync } from 'rolldown/utils';

const OPTIONS = {
	lang: 'tsx',
	jsx: { runtime: 'automatic' },
	define: { 'import.meta.env.DEV': 'false', 'import.meta.env.BASE_URL': '"/dashboard/"' },
	sourcemap: true,
} as const;
/** Each class has its own name. */
const CLASSES = 'export default new Proxy({}, { get: (_, name) => name });';

registerHooks({
	load(url, context, nextLoad) {
		if (url.endsWith('.css')) return { format: 'module', source: CLASSES, shortCircuit: true };
		if (!url.endsWith('.tsx')) return nextLoad(url, context);
		const { source } = nextLoad(url, { ...context, format: 'module' });
		const { code, map, errors } = transformSync(fileURLToPath(url), String(source), OPTIONS);
		if (errors[0]) throw errors[0];
		const comment = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
		return { format: 'module', source: `${code}\n${comment}`, shortCircuit: true };
	},
});

GlobalRegistrator.register({ url: 'http://localhost:8080/dashboard/' });
// With it, React measures each part of a page for the tools of a browser, which takes a fifth of its time.
console.timeStamp = undefined as never;
// There is no layout. To compute styles that nothing looks at would take a quarter of the time.
window.getComputedStyle = ({ style }: Partial<ElementCSSInlineStyle>) => style as CSSStyleDeclaration;
// Its timers would keep the process alive.
after(() => (window as typeof window & { happyDOM: DetachedWindowAPI }).happyDOM.abort());
