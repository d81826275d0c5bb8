import {
	type Found,
	MAX_SEARCH_CHARACTERS,
	type PresentPerson,
	type SearchedText,
	searchedText,
} from '@bursar/contract/dashboard';
import { Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useTakesPayments } from '../../calls/presence.ts';
import { useRead } from '../../calls/use-read.ts';
import { Failure } from '../../page/failure.tsx';
import { HitList } from './hit-list.tsx';
import { hitGroups } from './hits.ts';
import { placesFor } from './page-words.ts';
import { searchTexts } from './texts.ts';

/** The service is asked after a pause of so many milliseconds in the typing. */
const PAUSE_MS = 200;

interface State {
	readonly text: string;
	/** The index of the chosen hit. */
	readonly chosen: number;
	/** The secret that was left out of what was typed last. */
	readonly hidden?: SearchedText['hidden'];
}

interface Props {
	readonly person: PresentPerson;
	readonly onClose: () => void;
}

/** Searches with each pause in the typing. The field keeps the focus: arrow keys choose a hit, and Enter opens it. */
export function SearchPanel({ person, onClose }: Props) {
	const listId = useId();
	const [, navigate] = useLocation();
	const [{ text, chosen, hidden }, setState] = useState<State>({ text: '', chosen: 0 });
	const isOperator = person.reseller === null;
	const takesPayments = useTakesPayments();
	const { text: wanted } = searchedText(text);
	const { found, isSearching, error } = useFound(wanted, isOperator);
	const groups = hitGroups(hidden ? [] : placesFor({ ...person, takesPayments }, wanted), found, { isOperator });
	const field = useRef<HTMLInputElement>(null);
	// The dialog looks for its field when it opens. At its first opening, the field comes later. The dialog first notices
	// where the focus was, to give it back.
	useEffect(() => {
		const timer = setTimeout(() => field.current?.focus());
		return () => clearTimeout(timer);
	}, []);
	const hits = groups.flatMap(({ kind, hits: ofKind }) =>
		ofKind.map(({ path }) => ({ path, isPage: kind === 'pages' })),
	);
	/** Hits may have become fewer since one was chosen. */
	const current = Math.min(chosen, hits.length - 1);

	function choose(index: number) {
		setState({ text, chosen: (index + hits.length) % hits.length, hidden });
		document.getElementById(`${listId}-${(index + hits.length) % hits.length}`)?.scrollIntoView({ block: 'nearest' });
	}

	/** A whole token does not stay in the field either. */
	function type(typed: string) {
		const searched = searchedText(typed);
		setState({ text: searched.hidden === 'token' ? searched.text : typed, chosen: 0, hidden: searched.hidden });
	}

	function press(event: KeyboardEvent) {
		if (hits.length === 0) return;
		if (event.key === 'ArrowDown') choose(current + 1);
		else if (event.key === 'ArrowUp') choose(current - 1);
		else if (event.key === 'Enter') openHit(hits[current]);
		else return;
		event.preventDefault();
	}

	/** Until the answer is there, the hits are those of another text. Pages are known at once. */
	function openHit(hit: (typeof hits)[number] | undefined) {
		if (!hit || (isSearching && !hit.isPage)) return;
		onClose();
		navigate(hit.path);
	}

	return (
		<Stack gap="sm">
			<TextInput
				ref={field}
				data-autofocus
				role="combobox"
				aria-expanded={hits.length > 0}
				aria-controls={listId}
				aria-activedescendant={hits.length > 0 ? `${listId}-${current}` : undefined}
				aria-autocomplete="list"
				aria-label={searchTexts.label}
				placeholder={searchTexts.label}
				leftSection={<IconSearch size={16} aria-hidden="true" />}
				value={text}
				maxLength={MAX_SEARCH_CHARACTERS}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				onChange={({ currentTarget }) => type(currentTarget.value)}
				onKeyDown={press}
			/>
			<Failure error={error} />
			<HitList id={listId} groups={groups} current={current} onOpen={onClose} />
			<div role="status">
				{hidden && <Text size="sm">{searchTexts.hidden[hidden]}</Text>}
				<Text size="sm" c="dimmed">
					{isSearching
						? searchTexts.searching
						: hits.length === 0
							? searchTexts.nothing
							: searchTexts.count(hits.length)}
				</Text>
				{!isSearching && found && <LookedAt found={found} />}
			</div>
			{(wanted === '' || (hits.length === 0 && !isSearching)) && (
				<Text size="sm" c="dimmed">
					{searchTexts.offers[isOperator ? 'operator' : 'reseller']}
				</Text>
			)}
		</Stack>
	);
}

/** Says of which kinds only a part was looked at. */
function LookedAt({ found: { looked_at } }: { readonly found: Found }) {
	return KINDS_IN_PART.map((kind) => {
		const count = looked_at[kind];
		return (
			count !== undefined && (
				<Text key={kind} size="sm" c="dimmed">
					{searchTexts.lookedAt[kind](count)}
				</Text>
			)
		);
	});
}

const KINDS_IN_PART = ['sub_users', 'movements', 'acts'] as const;

/** The hits of the service. The previous hits stay until the answer is there, and the last text wins. */
function useFound(wanted: string, isOperator: boolean) {
	const [text] = useDebouncedValue(wanted, PAUSE_MS);
	const options = { enabled: text !== '', keepsPrevious: true };
	const ofReseller = useRead('/search', { text }, { ...options, enabled: options.enabled && !isOperator });
	const ofOperator = useRead('/operator/search', { text }, { ...options, enabled: options.enabled && isOperator });
	const { data, error, isFetching } = isOperator ? ofOperator : ofReseller;
	return {
		found: wanted === '' ? undefined : data,
		isSearching: wanted !== '' && (isFetching || text !== wanted),
		error,
	};
}
