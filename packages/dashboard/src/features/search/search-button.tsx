import type { PresentPerson } from '@bursar/contract/dashboard';
import { useHotkeys } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useState } from 'react';
import { Dialog } from '../../acts/dialog.tsx';
import { lazyPage, usePreload } from '../../page/lazy-page.ts';
import classes from './search.module.css';
import { searchTexts } from './texts.ts';

const SearchPanel = lazyPage(async () => (await import('./search-panel.tsx')).SearchPanel);

const CODE = [SearchPanel];

/** Keys of a Mac have another name. */
const KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : searchTexts.keys;

/** Opens the search over everything, as Ctrl-K, Command-K or `/` does. */
export function SearchButton({ person }: { readonly person: PresentPerson }) {
	const [isOpen, setOpen] = useState(false);
	usePreload(CODE);
	// Also while a field has the focus.
	useHotkeys([['mod+K', () => setOpen(true)]], []);
	// On many keyboards, `/` is typed with Shift.
	useHotkeys([
		['/', () => setOpen(true)],
		['shift+/', () => setOpen(true)],
	]);
	return (
		<>
			<button
				type="button"
				className={classes.button}
				aria-keyshortcuts="Control+K Meta+K /"
				onClick={() => setOpen(true)}
			>
				<IconSearch size={16} aria-hidden="true" />
				<span className={classes.buttonText}>{searchTexts.button}</span>
				<kbd className={classes.keys} data-keys={KEYS} />
			</button>
			<Dialog
				opened={isOpen}
				onClose={() => setOpen(false)}
				title={searchTexts.title}
				size="lg"
				yOffset="8dvh"
				transitionProps={{ exitDuration: 0 }}
			>
				<SearchPanel person={person} onClose={() => setOpen(false)} />
			</Dialog>
		</>
	);
}
