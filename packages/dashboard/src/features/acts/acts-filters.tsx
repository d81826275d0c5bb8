import { type ActKind, normalizeEmailPart } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import { NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useEmails } from '../../forms/suggestions.ts';
import { DayRangeFields, FilterField, Filters } from '../../lists/filters.tsx';
import { type ActsState, addressOf, isFiltered } from './acts-state.ts';
import { actKindTexts, actsTexts } from './texts.ts';

interface Props {
	readonly state: ActsState;
	/** Of which reseller; `null`: all of it, for operators. */
	readonly reseller: string | null;
	/** The kinds that can be chosen. */
	readonly kinds: readonly ActKind[];
	readonly onChange: (change: Partial<ActsState>) => void;
	readonly download: ReactNode;
}

const MAX_EMAIL_CHARACTERS = 254;
const MAX_ADDRESS_CHARACTERS = 45;
const NO_FILTERS = {
	person: undefined,
	address: undefined,
	kind: undefined,
	sub_user: undefined,
	from: undefined,
	to: undefined,
};

/** Chooses which acts are shown. */
export function ActsFilters({ state, reseller, kinds, onChange, download }: Props) {
	/** A filter begins at the newest act. */
	const filter = (change: Partial<ActsState>) => onChange({ ...change, before: undefined });
	const [typed, setTyped] = useState('');
	const emails = useEmails(reseller, typed);
	return (
		<Filters onClear={isFiltered(state) ? () => filter(NO_FILTERS) : undefined} download={download}>
			<FilterField
				label={actsTexts.personFilter}
				value={state.person ?? ''}
				parse={normalizeEmailPart}
				error={actsTexts.invalidEmail}
				maxLength={MAX_EMAIL_CHARACTERS}
				suggestions={emails}
				onType={setTyped}
				onChange={(email) => filter({ person: email === '' ? undefined : email })}
			/>
			<FilterField
				label={actsTexts.address}
				value={state.address ?? ''}
				parse={addressOf}
				error={actsTexts.invalidAddress}
				maxLength={MAX_ADDRESS_CHARACTERS}
				onChange={(address) => filter({ address: address === '' ? undefined : address })}
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
