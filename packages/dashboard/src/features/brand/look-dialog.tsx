import { MAX_BRAND_NAME_CHARACTERS, PRODUCT_NAME } from '@bursar/contract/brand';
import type { BrandSettings } from '@bursar/contract/dashboard';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import classes from './brand.module.css';
import { LogoField } from './logo-field.tsx';
import { Preview } from './preview.tsx';
import { brandTexts } from './texts.ts';
import { lookChange, shownLogo, typedLookOf, wrongIn } from './typed-look.ts';
import { useRefreshBrand } from './use-refresh-brand.ts';

/** A button that changes name, colour and logo. */
export function LookDialog({ settings }: { readonly settings: BrandSettings }) {
	return (
		<ActDialog
			isWide
			path="/operator/brand/set"
			done={useRefreshBrand()}
			title={brandTexts.changeLook}
			button={(open) => <Button onClick={open}>{brandTexts.changeLook}</Button>}
		>
			{(act) => <LookForm act={act} before={settings} />}
		</ActDialog>
	);
}

interface FormProps {
	readonly act: Act<'/operator/brand/set'>;
	readonly before: BrandSettings;
}

function LookForm({ act, before }: FormProps) {
	const [typed, setTyped] = useState(() => typedLookOf(before));
	const wrong = wrongIn(typed);
	const set = (part: Partial<typeof typed>) => setTyped((now) => ({ ...now, ...part }));
	const color = wrong.color ? null : typed.color.trim() || null;
	return (
		<ActForm act={act} body={lookChange(typed, before)} action={brandTexts.save}>
			<PlainTextInput
				label={brandTexts.name}
				description={brandTexts.nameHint}
				error={wrong.name && brandTexts.nameWrong}
				value={typed.name}
				onType={(name) => set({ name })}
				// A character can be two units of a text.
				maxLength={2 * MAX_BRAND_NAME_CHARACTERS}
				disabled={act.isBusy}
				isFirst
			/>
			<Group align="flex-end" gap="xs" wrap="nowrap">
				<PlainTextInput
					label={brandTexts.color}
					description={brandTexts.colorHint}
					error={wrong.color && typed.color.length >= 7 && brandTexts.colorWrong}
					value={typed.color}
					onType={(text) => set({ color: text })}
					maxLength={7}
					disabled={act.isBusy}
					isName
				/>
				<input
					type="color"
					className={classes.picker}
					aria-label={brandTexts.chooseColor}
					value={color ?? '#4263eb'}
					disabled={act.isBusy}
					onChange={({ currentTarget }) => set({ color: currentTarget.value })}
				/>
			</Group>
			<LogoField
				shown={shownLogo(typed, before)}
				problem={typed.logo.state === 'wrong' ? typed.logo.problem : undefined}
				onChoose={(logo) => set({ logo })}
				disabled={act.isBusy}
			/>
			<Preview
				brand={{
					name: (!wrong.name && typed.name.trim()) || PRODUCT_NAME,
					color,
					logo: shownLogo(typed, before),
				}}
			/>
		</ActForm>
	);
}
