import classes from './shell.module.css';

/** Lines of icons in a square of 20, by the path of the page. */
const SHAPES: Readonly<Record<string, string>> = {
	'/': 'M3 17V9m5 8V4m5 13v-6m4 6V7',
	'/sub-users': 'M7 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5 8c0-3 2-5 5-5s5 2 5 5m1-14a3 3 0 0 1 0 6m2 3c2 .6 3 2.4 3 5',
	'/connect': 'M7 2v4m6-4v4M4 6h12v3a6 6 0 0 1-12 0V6Zm6 9v3',
	'/statement': 'M5 2h10v16l-2.5-1.5L10 18l-2.5-1.5L5 18V2Zm3 5h4m-4 4h4',
	'/token': 'M7 6 3 10l4 4m6-8 4 4-4 4m-2-10-2 12',
	'/account': 'M10 10a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8c0-4 3-6 7-6s7 2 7 6',
	'/resellers': 'M3 8V4h14v4m-14 0a2.3 2.3 0 0 0 4.7 0 2.3 2.3 0 0 0 4.6 0A2.3 2.3 0 0 0 17 8M4 10v7h12v-7m-8 7v-4h4v4',
	'/income':
		'M10 2v16m3.500-13c-1-1-2-1.500-3.500-1.500-2 0-3.500 1-3.500 3s1.500 2.500 3.500 3 3.500 1.200 3.500 3.200-1.500 3.300-3.500 3.300c-1.600 0-2.800-.6-3.700-1.700',
	'/usage': 'M10 3v9m0 0 3.5-3.5M10 12 6.500 8.500M3 13v4h14v-4',
	'/edges': 'M3 4h14v5H3V4Zm0 7h14v5H3v-5Zm3-4.500h.01M6 13.500h.01',
	'/ledger': 'M4 3h12v14H4V3Zm3 0v14m3-10h3m-3 4h3',
	'/mail': 'M3 4.500h14v11H3v-11Zm0 .5 7 6 7-6',
	'/activity': 'M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16Zm0-13v5l3 2',
};

/** The icon of a page in the navigation. Its name stands beside it. */
export function PageIcon({ path }: { readonly path: string }) {
	return (
		<svg className={classes.icon} viewBox="0 0 20 20" aria-hidden="true">
			<path d={SHAPES[path]} />
		</svg>
	);
}
