import { isLetterheadLine, MAX_ADDRESS_LINES, MAX_LETTERHEAD_CHARACTERS } from '@bursar/contract/brand';
import type { BrandSettings, Letterhead } from '@bursar/contract/dashboard';
import { Button, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { Section } from '../../page/section.tsx';
import classes from './brand.module.css';
import { brandTexts } from './texts.ts';
import { useRefreshBrand } from './use-refresh-brand.ts';

/** The letterhead as it stands on statements, and the button that changes it. */
export function LetterheadSection({ settings }: { readonly settings: BrandSettings }) {
	const lines = linesOf(settings);
	return (
		<Section
			title={brandTexts.letterhead}
			lead={brandTexts.letterheadLead}
			actions={
				<ActDialog
					path="/operator/brand/set"
					done={useRefreshBrand()}
					title={brandTexts.changeLetterhead}
					button={(open) => (
						<Button variant="default" onClick={open}>
							{brandTexts.changeLetterhead}
						</Button>
					)}
				>
					{(act) => <LetterheadForm act={act} before={settings} />}
				</ActDialog>
			}
		>
			{lines.length === 0 ? (
				<Text>{brandTexts.noLetterhead}</Text>
			) : (
				<address className={classes.letterhead}>
					{lines.map((line, index) => (
						// Two lines can be the same, and never move.
						// biome-ignore lint/suspicious/noArrayIndexKey: see above.
						<div key={index}>{line}</div>
					))}
				</address>
			)}
		</Section>
	);
}

function linesOf({ legal_name, address, tax_number }: Letterhead): readonly string[] {
	return [legal_name, ...address, tax_number && brandTexts.taxNumberIs(tax_number)].filter(Boolean);
}

interface FormProps {
	readonly act: Act<'/operator/brand/set'>;
	readonly before: BrandSettings;
}

function LetterheadForm({ act, before }: FormProps) {
	const [legalName, setLegalName] = useState(before.legal_name);
	const [addressText, setAddressText] = useState(before.address.join('\n'));
	const [taxNumber, setTaxNumber] = useState(before.tax_number);
	const address = addressText
		.split('\n')
		.map((line) => line.trim())
		.filter(Boolean);
	const typed: Letterhead = { legal_name: legalName.trim(), address, tax_number: taxNumber.trim() };
	const problemOf = (...lines: readonly string[]) => !lines.every(isLetterheadLine) && brandTexts.lineWrong;
	const tooMany = address.length > MAX_ADDRESS_LINES && brandTexts.tooManyLines;
	const isRight = !problemOf(typed.legal_name, ...address, typed.tax_number) && !tooMany;
	const isChanged = linesOf(typed).join('\n') !== linesOf(before).join('\n');
	return (
		<ActForm act={act} body={isRight && isChanged ? typed : undefined} action={brandTexts.save}>
			<PlainTextInput
				label={brandTexts.legalName}
				error={problemOf(typed.legal_name)}
				value={legalName}
				onType={setLegalName}
				maxLength={2 * MAX_LETTERHEAD_CHARACTERS}
				disabled={act.isBusy}
				isFirst
			/>
			<Textarea
				label={brandTexts.address}
				description={brandTexts.addressHint}
				error={tooMany || problemOf(...address)}
				rows={MAX_ADDRESS_LINES}
				value={addressText}
				onChange={({ currentTarget }) => setAddressText(currentTarget.value)}
				disabled={act.isBusy}
			/>
			<PlainTextInput
				label={brandTexts.taxNumber}
				error={problemOf(typed.tax_number)}
				value={taxNumber}
				onType={setTaxNumber}
				maxLength={2 * MAX_LETTERHEAD_CHARACTERS}
				disabled={act.isBusy}
			/>
		</ActForm>
	);
}
