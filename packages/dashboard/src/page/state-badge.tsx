import type { ListedPerson } from '@bursar/contract/dashboard';
import type { ReactNode } from 'react';
import classes from './page.module.css';

/**
 * What a state means to the person who looks: all is well; it passes by itself, or somebody is awaited; something must be
 * done; or it was switched off on purpose.
 */
export type Tone = 'good' | 'waiting' | 'bad' | 'off';

/** Who was invited has not answered yet. */
export const PERSON_TONES: Readonly<Record<ListedPerson['state'], Tone>> = {
	invited: 'waiting',
	active: 'good',
	locked: 'bad',
};

/** The state of something, in the one colour that its meaning has on all pages. */
export function StateBadge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
	return (
		<span className={classes.badge} data-tone={tone}>
			{children}
		</span>
	);
}
