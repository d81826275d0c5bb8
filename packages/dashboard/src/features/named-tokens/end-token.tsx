import { Button, Text } from '@mantine/core';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { ActBody } from '../../acts/use-act.ts';
import { namedTokenTexts } from './texts.ts';
import { useRefreshTokens } from './use-tokens.ts';

type EndPath = '/tokens/end' | '/operator/tokens/end';

interface Props<Path extends EndPath> {
	readonly path: Path;
	readonly name: string;
	/** What names the token to the service. */
	readonly body: ActBody<Path>;
}

/** A button that ends a token, after a question. */
export function EndToken<Path extends EndPath>({ path, name, body }: Props<Path>) {
	return (
		<ActDialog
			path={path}
			done={useRefreshTokens()}
			title={namedTokenTexts.endTitle(name)}
			button={(open) => (
				<Button size="compact-xs" variant="default" aria-label={namedTokenTexts.endOne(name)} onClick={open}>
					{namedTokenTexts.endNow}
				</Button>
			)}
		>
			{(act) => (
				<ActForm act={act} body={body} action={namedTokenTexts.endNow} isDangerous startsAtCancel>
					<Text size="sm">{namedTokenTexts.endEffect}</Text>
				</ActForm>
			)}
		</ActDialog>
	);
}
