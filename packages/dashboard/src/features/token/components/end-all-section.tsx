import { Button } from '@mantine/core';
import { Section } from '../../../frame/section.tsx';
import { tokenTexts } from '../../../texts/token.ts';

/** The way out if a token is lost or leaked. */
export function EndAllSection({ onEndAll }: { readonly onEndAll: () => void }) {
	return (
		<Section title={tokenTexts.endAllTitle} lead={tokenTexts.endAllIntro} isDangerous>
			<Button color="red" variant="outline" onClick={onEndAll} w="fit-content">
				{tokenTexts.endAll}
			</Button>
		</Section>
	);
}
