import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { isMovementReference, REFERENCE_MAX_LENGTH } from '@bursar/contract/reference';
import { normalizeUsername } from '@bursar/contract/username';
import { NativeSelect, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useReferences, useUsernames } from '../../forms/suggestions.ts';
import { DayRangeFields, FilterField, Filters } from '../../lists/filters.tsx';
import { PeriodChoice } from './period-choice.tsx';
import { isFiltered, SHOWN_MOVEMENTS, type StatementState, shownOf } from './statement-state.ts';
import { statementTexts } from './texts.ts';

interface Props {
	readonly state: StatementState;
	/** Of this reseller, for an operator. */
	readonly reseller: string | undefined;
	readonly onChange: (change: Partial<StatementState>) => void;
	readonly download: ReactNode;
}

const NO_FILTERS = { kind: undefined, sub_user: undefined, reference: undefined, from: undefined, to: undefined };

const SHOWN = { ...statementTexts.shown, ...statementTexts.kinds };

/** A sub-user or a reference has no own balance here. */
function kindsFor(state: StatementState) {
	const hasOwn = shownOf({ ...state, kind: undefined }) === 'own';
	return SHOWN_MOVEMENTS.filter((value) => hasOwn || value !== 'own').map((value) => {
		return { value, label: SHOWN[value] };
	});
}

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
					data={kindsFor(state)}
					value={shownOf(state)}
					onChange={({ currentTarget: { value } }) => {
						const kind = SHOWN_MOVEMENTS.find((each) => each === value);
						filter({ kind: kind === shownOf({ ...state, kind: undefined }) ? undefined : kind });
					}}
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
