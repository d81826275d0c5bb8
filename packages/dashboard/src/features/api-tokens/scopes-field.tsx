import { OPERATOR_SCOPES } from '@bursar/contract/scopes';
import { Alert, Checkbox, Code, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { namedTokenTexts } from '../named-tokens/texts.ts';
import { apiTokensTexts } from './texts.ts';

type Resource = keyof typeof apiTokensTexts.resources;

const RESOURCES = Object.keys(apiTokensTexts.resources) as Resource[];

interface Props {
	readonly scopes: readonly string[];
	readonly onChoose: (scopes: readonly string[]) => void;
	readonly disabled: boolean;
}

/** Asks what a program of the operator may do, by resource. */
export function OperatorScopesField({ scopes, onChoose, disabled }: Props) {
	return (
		<Checkbox.Group
			label={namedTokenTexts.scopes}
			description={apiTokensTexts.scopesHint}
			value={[...scopes]}
			onChange={(chosen) => onChoose(OPERATOR_SCOPES.filter((scope) => chosen.includes(scope)))}
		>
			<Stack gap="md" mt="xs">
				{RESOURCES.map((resource) => (
					<ScopesOf key={resource} resource={resource} disabled={disabled}>
						<Warning scopes={scopes} resource={resource} />
					</ScopesOf>
				))}
			</Stack>
		</Checkbox.Group>
	);
}

interface ScopesOfProps {
	readonly resource: Resource;
	readonly disabled: boolean;
	/** Stands below them. */
	readonly children: ReactNode;
}

function ScopesOf({ resource, disabled, children }: ScopesOfProps) {
	const titleId = useId();
	return (
		<Stack gap={6} role="group" aria-labelledby={titleId}>
			<Text size="sm" fw={600} id={titleId}>
				{apiTokensTexts.resources[resource]}
			</Text>
			{OPERATOR_SCOPES.filter((scope) => scope.startsWith(`${resource}:`)).map((scope) => (
				<Checkbox
					key={scope}
					value={scope}
					label={apiTokensTexts.scopes[scope]}
					description={<Code>{scope}</Code>}
					disabled={disabled}
				/>
			))}
			{children}
		</Stack>
	);
}

interface WarningProps extends Pick<Props, 'scopes'> {
	readonly resource: Resource;
}

/** Warns of a chosen scope with which a program can get all that a reseller has. */
function Warning({ scopes, resource }: WarningProps) {
	const isChosen = (scope: string) => scope.startsWith(`${resource}:`) && scopes.includes(scope);
	const [warning] = Object.entries(apiTokensTexts.warnings).filter(([scope]) => isChosen(scope));
	return (
		<div role="status">
			{warning && (
				<Alert color="yellow" title={apiTokensTexts.warningTitle}>
					{warning[1]}
				</Alert>
			)}
		</div>
	);
}
