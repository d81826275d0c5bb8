import { Button, Input, Text } from '@mantine/core';
import { type DragEvent, useId, useState } from 'react';
import classes from './file-field.module.css';
import { fileTexts } from './texts.ts';

interface Props {
	readonly label: string;
	readonly description?: string;
	/** What the browser offers, like `image/png`. A dropped file may be of any kind: whoever reads it has to look. */
	readonly accept: string;
	/** The name of the file that was chosen last. */
	readonly fileName?: string | undefined;
	readonly onChoose: (file: File) => void;
	readonly error?: string | undefined;
	readonly disabled?: boolean;
}

/**
 * Asks for one file: by a button, by the keyboard, or dropped onto it. The browser's own field is there and unseen,
 * because screen readers and keyboards know it.
 */
export function FileField({ label, description, accept, fileName, onChoose, error, disabled = false }: Props) {
	const id = useId();
	const [isOver, setOver] = useState(false);
	const [hasSeveral, setSeveral] = useState(false);
	const problem = hasSeveral ? fileTexts.onlyOne : error;

	function take(files: FileList | null): void {
		const [file, ...more] = files ?? [];
		if (!file || disabled) return;
		setSeveral(more.length > 0);
		if (more.length === 0) onChoose(file);
	}
	function over(event: DragEvent, is: boolean): void {
		event.preventDefault();
		setOver(is && !disabled);
	}
	return (
		<Input.Wrapper id={id} label={label} description={description} error={problem}>
			<label
				className={classes.zone}
				data-over={isOver || undefined}
				data-disabled={disabled || undefined}
				data-wrong={problem !== undefined || undefined}
				onDragOver={(event) => over(event, true)}
				onDragLeave={(event) => over(event, false)}
				onDrop={(event) => {
					over(event, false);
					take(event.dataTransfer.files);
				}}
			>
				<input
					id={id}
					type="file"
					accept={accept}
					className={classes.input}
					disabled={disabled}
					aria-labelledby={`${id}-label`}
					aria-describedby={[description && `${id}-description`, `${id}-file`, problem && `${id}-error`]
						.filter(Boolean)
						.join(' ')}
					aria-invalid={problem !== undefined || undefined}
					// The same file can be chosen again once it was mended.
					onClick={({ currentTarget }) => {
						currentTarget.value = '';
					}}
					onChange={({ currentTarget }) => take(currentTarget.files)}
				/>
				<Button component="span" variant="default" size="xs" tabIndex={-1} aria-hidden disabled={disabled}>
					{fileName === undefined ? fileTexts.choose : fileTexts.chooseAnother}
				</Button>
				<Text span size="sm" className={classes.name} id={`${id}-file`}>
					{fileName ?? fileTexts.drop}
				</Text>
			</label>
		</Input.Wrapper>
	);
}
