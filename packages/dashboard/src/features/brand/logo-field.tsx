import type { PngProblem } from '@bursar/contract/png';
import { Button } from '@mantine/core';
import { FileField } from '../../forms/file-field.tsx';
import { FailureNote } from '../../page/failure.tsx';
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
	return (
		<>
			<FileField
				label={brandTexts.logo}
				description={brandTexts.logoHint}
				accept="image/png,.png"
				onChoose={async (file) => onChoose(await readLogo(file))}
				disabled={disabled}
			/>
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
