import { type ActKind, normalizeEmailPart } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { DayRangeFields, FilterField, Filters } from '../../lists/filters.tsx';
import { type ActsState, isFiltered } from './acts-state.ts';
import { actKindTexts, actsTexts } from './texts.ts';

interface Props {
	readonly state: ActsState;
	/** The kinds that can be chosen. */
	readonly kinds: readonly ActKind[];
	readonly onChange: (change: Partial<ActsState>) => void;
	readonly download: ReactNode;
}

const MAX_EMAIL_CHARACTERS = 254;
const NO_FILTERS = { person: undefined, kind: undefined, sub_user: undefined, from: undefined, to: undefined };

/** Chooses which acts are shown. */
export function ActsFilters({ state, kinds, onChange, download }: Props) {
	/** A filter begins at the newest act. */
	const filter = (change: Partial<ActsState>) => onChange({ ...change, before: undefined });
	return (
		<Filters onClear={isFiltered(state) ? () => filter(NO_FILTERS) : undefined} download={download}>
			<FilterField
				label={actsTexts.personFilter}
				value={state.person ?? ''}
				parse={normalizeEmailPart}
				error={actsTexts.invalidEmail}
				maxLength={MAX_EMAIL_CHARACTERS}
				onChange={(email) => filter({ person: email === '' ? undefined : email })}
			/>
			<NativeSelect
				label={actsTexts.act}
				data={[
					{ value: '', label: actsTexts.allActs },
					...kinds.map((value) => ({ value, label: actKindTexts[value] })),
				]}
				value={state.kind ?? ''}
				onChange={({ currentTarget: { value } }) => filter({ kind: kinds.find((kind) => kind === value) })}
			/>
			<FilterField
				label={actsTexts.subUserFilter}
				value={state.sub_user ?? ''}
				parse={normalizeUsername}
				error={actsTexts.invalidSubUser}
				maxLength={USERNAME_MAX_LENGTH}
				onChange={(name) => filter({ sub_user: name === '' ? undefined : name })}
			/>
			<DayRangeFields range={state} onChange={filter} />
		</Filters>
	);
}
