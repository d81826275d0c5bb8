import type { PngProblem } from '@bursar/contract/png';
import { Button, Input } from '@mantine/core';
import { useId } from 'react';
import { FailureNote } from '../../page/failure.tsx';
import classes from '../sub-users/sub-users.module.css';
import { brandTexts } from './texts.ts';
import { type ChosenLogo, readLogo } from './typed-look.ts';

interface Props {
	/** The address of the logo that would be shown; `null` without one. */
	readonly shown: string | null;
	readonly problem: PngProblem | undefined;
	readonly onChoose: (logo: ChosenLogo) => void;
	readonly disabled: boolean;
}

/** Asks for a logo, and says what is wrong with it. The service looks at its structure; whether it is an image, only the browser knows. */
export function LogoField({ shown, problem, onChoose, disabled }: Props) {
	const id = useId();

	async function take(file: File | undefined) {
		if (file) onChoose(await readLogo(file));
	}
	return (
		<>
			<Input.Wrapper id={id} label={brandTexts.logo} description={brandTexts.logoHint}>
				<input
					id={id}
					type="file"
					accept="image/png,.png"
					className={classes.file}
					aria-describedby={`${id}-description`}
					disabled={disabled}
					// The same file can be chosen again once it was mended.
					onClick={({ currentTarget }) => {
						currentTarget.value = '';
					}}
					onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
				/>
			</Input.Wrapper>
			{shown?.startsWith('data:') && (
				<img key={shown} src={shown} alt="" hidden onError={() => onChoose({ state: 'wrong', problem: 'damaged' })} />
			)}
			{problem && <FailureNote text={{ happened: brandTexts.logoProblems[problem], todo: brandTexts.logoTodo }} />}
			{shown !== null && (
				<Button
					variant="subtle"
					size="compact-sm"
					w="fit-content"
					disabled={disabled}
					onClick={() => onChoose({ state: 'none' })}
				>
					{brandTexts.removeLogo}
				</Button>
			)}
		</>
	);
}
