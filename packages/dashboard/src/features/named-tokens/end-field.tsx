import { Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useServerNow } from '../../calls/server-clock.ts';
import { exactText } from '../../format/time.ts';
import { type ChosenEnd, endOf, LIVES } from './end.ts';
import { namedTokenTexts } from './texts.ts';

interface Props {
	readonly end: ChosenEnd;
	readonly onChoose: (end: ChosenEnd) => void;
	readonly disabled: boolean;
}

/** Asks when a token ends, and says when exactly that is. */
export function EndField({ end, onChoose, disabled }: Props) {
	const chosen = endOf(end, useServerNow(60_000));
	return (
		<>
			<Radio.Group
				label={namedTokenTexts.end}
				value={end.life}
				onChange={(life) => onChoose({ ...end, life: life as ChosenEnd['life'] })}
			>
				<Group gap="md" mt="xs">
					{([...LIVES, 'day'] as const).map((life) => (
						<Radio key={life} value={life} label={namedTokenTexts.lives[life]} disabled={disabled} />
					))}
				</Group>
			</Radio.Group>
			<Stack gap={6}>
				{end.life === 'day' && (
					<TextInput
						type="date"
						label={namedTokenTexts.day}
						value={end.day}
						error={end.day !== '' && 'wrong' in chosen && namedTokenTexts.endProblems[chosen.wrong]}
						disabled={disabled}
						onChange={({ currentTarget: { value } }) => onChoose({ ...end, day: value })}
						w="fit-content"
					/>
				)}
				<Text size="sm" c="dimmed" role="status">
					{'at' in chosen && namedTokenTexts.endsAt(exactText(chosen.at))}
				</Text>
			</Stack>
		</>
	);
}
