import { MOVEMENT_KINDS } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { isMovementReference, REFERENCE_MAX_LENGTH } from '@bursar/contract/reference';
import { normalizeUsername } from '@bursar/contract/username';
import { NativeSelect, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useReferences, useUsernames } from '../../forms/suggestions.ts';
import { DayRangeFields, FilterField, Filters } from '../../lists/filters.tsx';
import { PeriodChoice } from './period-choice.tsx';
import { isFiltered, type StatementState } from './statement-state.ts';
import { statementTexts } from './texts.ts';

interface Props {
	readonly state: StatementState;
	/** Of this reseller, for an operator. */
	readonly reseller: string | undefined;
	readonly onChange: (change: Partial<StatementState>) => void;
	readonly download: ReactNode;
}

const NO_FILTERS = { kind: undefined, sub_user: undefined, reference: undefined, from: undefined, to: undefined };
const KINDS = [
	{ value: '', label: statementTexts.allKinds },
	...MOVEMENT_KINDS.map((value) => ({ value, label: statementTexts.kinds[value] })),
];

/** Chooses which movements a statement shows. */
export function StatementFilters({ state, reseller, onChange, download }: Props) {
	const [typed, setTyped] = useState({ name: '', reference: '' });
	const usernames = useUsernames(reseller, typed.name);
	const references = useReferences(reseller, typed.reference);
	/** A filter begins at the newest movement. */
	const filter = (change: Partial<StatementState>) => onChange({ ...change, before: undefined });
	return (
		<Stack gap="sm">
			<PeriodChoice range={state} onChoose={filter} />
			<Filters onClear={isFiltered(state) ? () => filter(NO_FILTERS) : undefined} download={download}>
				<NativeSelect
					label={statementTexts.kind}
					data={KINDS}
					value={state.kind ?? ''}
					onChange={({ currentTarget: { value } }) => filter({ kind: MOVEMENT_KINDS.find((kind) => kind === value) })}
				/>
				<FilterField
					label={statementTexts.subUser}
					value={state.sub_user ?? ''}
					parse={normalizeUsername}
					error={statementTexts.invalidSubUser}
					maxLength={USERNAME_MAX_LENGTH}
					suggestions={usernames}
					onType={(name) => setTyped({ ...typed, name })}
					onChange={(name) => filter({ sub_user: name === '' ? undefined : name })}
				/>
				<FilterField
					label={statementTexts.reference}
					value={state.reference ?? ''}
					parse={(text) => (isMovementReference(text) ? text : undefined)}
					error={statementTexts.invalidReference}
					maxLength={REFERENCE_MAX_LENGTH}
					suggestions={references}
					onType={(reference) => setTyped({ ...typed, reference })}
					onChange={(reference) => filter({ reference: reference === '' ? undefined : reference })}
				/>
				<DayRangeFields range={state} onChange={filter} />
			</Filters>
		</Stack>
	);
}
