import { EVENT_TYPES, type EventType } from '@bursar/contract/events';
import { Checkbox, Code, Radio, Stack } from '@mantine/core';
import { eventTypeTexts, webhooksTexts } from './texts.ts';
import classes from './webhooks.module.css';

interface Props {
	/** `null`: all. */
	readonly types: readonly EventType[] | null;
	readonly onChoose: (types: readonly EventType[] | null) => void;
	readonly disabled: boolean;
}

/** Asks which events a webhook wants. */
export function TypesField({ types, onChoose, disabled }: Props) {
	return (
		<>
			<Radio.Group
				label={webhooksTexts.typesLabel}
				value={types === null ? 'all' : 'some'}
				onChange={(value) => onChoose(value === 'all' ? null : [])}
			>
				<Stack gap="xs" mt="xs">
					<Radio value="all" label={webhooksTexts.everyType} disabled={disabled} />
					<Radio value="some" label={webhooksTexts.chosenTypes} disabled={disabled} />
				</Stack>
			</Radio.Group>
			{types !== null && (
				<Checkbox.Group
					label={webhooksTexts.chosenLabel}
					value={[...types]}
					onChange={(chosen) => onChoose(EVENT_TYPES.filter((type) => chosen.includes(type)))}
				>
					<div className={classes.types}>
						{EVENT_TYPES.map((type) => (
							<Checkbox
								key={type}
								value={type}
								label={eventTypeTexts[type]}
								description={<Code>{type}</Code>}
								disabled={disabled}
							/>
						))}
					</div>
				</Checkbox.Group>
			)}
		</>
	);
}
