import { PRODUCT_NAME } from '@bursar/contract/brand';
import type { BrandSettings } from '@bursar/contract/dashboard';
import { Button, Stack, Text } from '@mantine/core';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { useRead } from '../../calls/use-read.ts';
import { Answered } from '../../page/answered.tsx';
import { Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { LetterheadSection } from './letterhead-section.tsx';
import { LookDialog } from './look-dialog.tsx';
import { Preview } from './preview.tsx';
import { brandTexts } from './texts.ts';
import { useRefreshBrand } from './use-refresh-brand.ts';

/** How the service looks to all people, and who sends its statements and mails. */
export function BrandPage() {
	const query = useRead('/operator/brand', {}, { staleMs: 0 });
	return (
		<Page title={pageNames.brand} lead={brandTexts.lead}>
			<Answered query={query}>
				{(settings) => (
					<Stack gap="lg">
						<Section title={brandTexts.look} actions={<LookDialog settings={settings} />}>
							<Preview brand={{ ...settings, name: settings.name ?? PRODUCT_NAME }} />
						</Section>
						<LetterheadSection settings={settings} />
						<TakeBackSection settings={settings} />
					</Stack>
				)}
			</Answered>
		</Page>
	);
}

/** What makes a service look like any other one. */
const OWN: BrandSettings = { name: null, color: null, logo: null, legal_name: '', address: [], tax_number: '' };

function TakeBackSection({ settings }: { readonly settings: BrandSettings }) {
	const refresh = useRefreshBrand();
	const { name, color, logo, legal_name, address, tax_number } = settings;
	const isOwn = [name, color, logo, legal_name, address[0], tax_number].every((part) => !part);
	if (isOwn) return <Text c="dimmed">{brandTexts.nothingToTakeBack}</Text>;
	return (
		<Section
			title={brandTexts.takeBack}
			lead={brandTexts.takeBackLead}
			isDangerous
			actions={
				<ActDialog
					path="/operator/brand/set"
					done={refresh}
					title={brandTexts.takeBack}
					button={(open) => (
						<Button color="red" variant="outline" onClick={open}>
							{brandTexts.takeBack}
						</Button>
					)}
				>
					{(act) => (
						<ActForm act={act} body={OWN} action={brandTexts.takeBack} isDangerous startsAtCancel>
							<Text size="sm">{brandTexts.takeBackIntro}</Text>
						</ActForm>
					)}
				</ActDialog>
			}
		/>
	);
}
