import { Alert, Button, Code, Container, Stack, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { PageNotLoaded } from '../page/lazy-page.ts';
import { shellTexts } from './texts.ts';

interface Props {
	readonly children: ReactNode;
}

/** Shows what to do instead of a page that threw or whose code did not arrive. */
export class FaultBoundary extends Component<Props, { readonly fault?: unknown; readonly isFaulty: boolean }> {
	override state = { isFaulty: false, fault: undefined as unknown };

	static getDerivedStateFromError(fault: unknown) {
		return { isFaulty: true, fault };
	}

	override render() {
		return this.state.isFaulty ? <Fault fault={this.state.fault} /> : this.props.children;
	}
}

function Fault({ fault }: { readonly fault: unknown }) {
	const isMissing = fault instanceof PageNotLoaded;
	return (
		<Container size="xs" py="xl">
			<Alert role="alert" color="red" title={isMissing ? shellTexts.notLoadedTitle : shellTexts.faultTitle}>
				<Stack align="flex-start">
					<Text size="sm">{isMissing ? shellTexts.notLoaded : shellTexts.fault}</Text>
					{!isMissing && (
						<Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
							{String(fault)}
						</Code>
					)}
					<Button onClick={() => window.location.reload()}>{shellTexts.reload}</Button>
				</Stack>
			</Alert>
		</Container>
	);
}
