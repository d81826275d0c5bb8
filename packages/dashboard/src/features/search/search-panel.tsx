import { MAX_SEARCH_CHARACTERS, type PresentPerson } from '@bursar/contract/dashboard';
import { Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { Failure } from '../../page/failure.tsx';
import { pagesFor } from '../../shell/pages.ts';
import { HitList } from './hit-list.tsx';
import { hitGroups } from './hits.ts';
import { searchTexts } from './texts.ts';

/** The service is asked after a pause of so many milliseconds in the typing. */
const PAUSE_MS = 150;

interface Props {
	readonly person: PresentPerson;
	readonly onClose: () => void;
}

/** Searches with each pause in the typing. The field keeps the focus: arrow keys choose a hit, and Enter opens it. */
export function SearchPanel({ person, onClose }: Props) {
	const listId = useId();
	const [, navigate] = useLocation();
	const [{ text, chosen }, setState] = useState({ text: '', chosen: 0 });
	const { found, isSearching, error } = useFound(text, person.reseller === null);
	const groups = hitGroups(text, pagesFor(person), found);
	const field = useRef<HTMLInputElement>(null);
	// The dialog looks for its field when it opens. At its first opening, the field comes later. The dialog first notices
	// where the focus was, to give it back.
	useEffect(() => {
		const timer = setTimeout(() => field.current?.focus());
		return () => clearTimeout(timer);
	}, []);
	const hits = groups.flatMap((group) => group.hits);
	/** Hits may have become fewer since one was chosen. */
	const current = Math.min(chosen, hits.length - 1);

	function choose(index: number) {
		setState({ text, chosen: (index + hits.length) % hits.length });
		document.getElementById(`${listId}-${(index + hits.length) % hits.length}`)?.scrollIntoView({ block: 'nearest' });
	}

	function press(event: KeyboardEvent) {
		if (hits.length === 0) return;
		if (event.key === 'ArrowDown') choose(current + 1);
		else if (event.key === 'ArrowUp') choose(current - 1);
		else if (event.key === 'Enter') open(hits[current]?.path ?? '/');
		else return;
		event.preventDefault();
	}

	function open(path: string) {
		onClose();
		navigate(path);
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
				aria-label={searchTexts.labels[person.reseller === null ? 'operator' : 'reseller']}
				placeholder={searchTexts.labels[person.reseller === null ? 'operator' : 'reseller']}
				leftSection={<IconSearch size={16} aria-hidden="true" />}
				value={text}
				maxLength={MAX_SEARCH_CHARACTERS}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				onChange={({ currentTarget }) => setState({ text: currentTarget.value, chosen: 0 })}
				onKeyDown={press}
			/>
			<Failure error={error} />
			<HitList id={listId} groups={groups} current={current} onOpen={onClose} />
			<Text size="sm" c="dimmed" role="status">
				{isSearching ? searchTexts.searching : hits.length === 0 ? searchTexts.nothing : searchTexts.count(hits.length)}
			</Text>
		</Stack>
	);
}

/** The hits of the service. The previous hits stay until the answer is there, and the last text wins. */
function useFound(typed: string, isOperator: boolean) {
	const wanted = typed.trim();
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
