import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BrandSettings } from '@bursar/contract/dashboard';
import { PNG_SIGNATURE, png, pngHeader } from '@bursar/testing/png';

import { brandTexts } from '../../src/features/brand/texts.ts';
import { signInTexts } from '../../src/features/sign-in/texts.ts';
import { pageNames, shellTexts } from '../../src/shell/texts.ts';
import {
	ANN,
	dialog,
	fireEvent,
	gone,
	OLGA,
	open,
	presenceOf,
	press,
	screen,
	serviceFor,
	type,
	waitFor,
	within,
} from '../support/dashboard.ts';

const OWN: BrandSettings = { name: null, color: null, logo: null, legal_name: '', address: [], tax_number: '' };
const NORTH = { name: 'North', color: '#0b7285', logo: '/dashboard/logo/a.png' };
const withoutAct = ({ act: _, ...body }: Readonly<Record<string, unknown>>) => body;

function atBrand(t: TestContext, settings: BrandSettings) {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/brand', settings);
	service.answers('/operator/brand/set', settings);
	open(t, '/brand');
	return service;
}

async function chooseLogo(bytes: Uint8Array<ArrayBuffer>, name = 'logo.png'): Promise<void> {
	const field = await screen.findByLabelText(brandTexts.logo);
	fireEvent.change(field, { target: { files: [new File([bytes], name)] } });
}

test('before a sign-in, the page has the name, the logo and the title of the network', async (t) => {
	serviceFor(t, null).answers('/session', presenceOf(null, NORTH));
	open(t, '/sign-in');
	await screen.findByText('North');
	assert.equal(document.querySelector('img')?.getAttribute('src'), NORTH.logo);
	await waitFor(() => assert.equal(document.title, `${signInTexts.title} · North`));
	assert.equal(document.head.querySelector('link[rel="icon"]')?.getAttribute('href'), NORTH.logo);
	assert.equal(screen.queryByText(/Bursar/), null);
	const styles = Array.from(document.querySelectorAll('style'), ({ textContent }) => textContent).join('');
	assert.match(styles, /--mantine-primary-color-filled: var\(--mantine-color-brand-filled\)/);
	assert.match(styles, /--mantine-color-brand-7: #0b7285/);
});

test('a logo that cannot be loaded is left out, and the name stays', async (t) => {
	serviceFor(t, null).answers('/session', presenceOf(null, NORTH));
	open(t, '/sign-in');
	const image = await waitFor(() => document.querySelector('img') ?? assert.fail('there is no logo'));
	fireEvent.error(image);
	await waitFor(() => assert.equal(document.querySelector('img'), null));
	await screen.findByText('North');
});

test('without an answer of the service, the page looks like any other one', async (t) => {
	const service = serviceFor(t, null);
	service.always('/session', 'unavailable', 503);
	open(t, '/sign-in');
	await screen.findByText('Bursar');
});

test('an operator changes name, colour and logo, sees them before, and sends only what has changed', async (t) => {
	const service = atBrand(t, { ...OWN, name: 'North', legal_name: 'North GmbH' });
	await press(brandTexts.changeLook);
	const opened = within(await dialog(brandTexts.changeLook));
	const save = opened.getByRole('button', { name: brandTexts.save });
	assert.ok(save.hasAttribute('disabled'), 'nothing has changed');
	await type(brandTexts.name, 'North\u202e');
	await screen.findByText(brandTexts.nameWrong);
	assert.ok(save.hasAttribute('disabled'));
	await type(brandTexts.name, '  South <b>  ');
	await gone(brandTexts.nameWrong);
	assert.equal(opened.getAllByText('South <b>').length, 2, 'in light and in dark');
	await type(brandTexts.color, '#ffff0');
	assert.ok(save.hasAttribute('disabled'));
	await type(brandTexts.color, '#FFFF00');
	await chooseLogo(new Uint8Array(png()));
	const address = `data:image/png;base64,${png().toString('base64')}`;
	await waitFor(() => assert.ok(document.querySelector(`img[src="${address}"]`)));
	fireEvent.click(save);
	await waitFor(() => assert.equal(service.calls('/operator/brand/set').length, 1));
	assert.deepEqual(service.calls('/operator/brand/set').map(withoutAct), [
		{ name: 'South <b>', color: '#ffff00', logo: png().toString('base64') },
	]);
	await waitFor(() => assert.ok(service.calls('/session').length > 1));
});

test('what is wrong with a file is said, and it is not sent', async (t) => {
	const service = atBrand(t, OWN);
	await press(brandTexts.changeLook);
	const opened = within(await dialog(brandTexts.changeLook));
	const bomb = Buffer.concat([PNG_SIGNATURE, pngHeader(60_000, 60_000)]);
	for (const [bytes, problem] of [
		[new TextEncoder().encode('<svg/>'), 'not_png'],
		[new Uint8Array(70_000), 'too_large'],
		[new Uint8Array(bomb), 'damaged'],
	] as const) {
		await chooseLogo(bytes);
		await screen.findByText(brandTexts.logoProblems[problem]);
		assert.ok(opened.getByRole('button', { name: brandTexts.save }).hasAttribute('disabled'));
	}
	await chooseLogo(new Uint8Array(png()));
	await gone(brandTexts.logoProblems.damaged);
	const probe = await waitFor(() => document.querySelector('img[hidden]') ?? assert.fail('the file is not tried'));
	fireEvent.error(probe);
	await screen.findByText(brandTexts.logoProblems.damaged);
	assert.deepEqual(service.calls('/operator/brand/set'), []);
});

test('the letterhead is sent line by line, without empty ones and spaces around', async (t) => {
	const service = atBrand(t, OWN);
	await screen.findByText(brandTexts.noLetterhead);
	await press(brandTexts.changeLetterhead);
	await type(brandTexts.legalName, ' North GmbH');
	await type(brandTexts.address, 'a\nb\nc\nd\ne\nf');
	await screen.findByText(brandTexts.tooManyLines);
	await type(brandTexts.address, ' Pier 1 \n\n20457 Hamburg\n');
	await type(brandTexts.taxNumber, 'DE1');
	await press(brandTexts.save);
	await waitFor(() => assert.equal(service.calls('/operator/brand/set').length, 1));
	assert.deepEqual(service.calls('/operator/brand/set').map(withoutAct), [
		{ legal_name: 'North GmbH', address: ['Pier 1', '20457 Hamburg'], tax_number: 'DE1' },
	]);
});

test('everything is taken back at once, and only if there is something', async (t) => {
	const service = atBrand(t, { ...OWN, ...NORTH, address: ['Pier 1'] });
	await press(brandTexts.takeBack);
	const opened = within(await dialog(brandTexts.takeBack));
	service.answers('/operator/brand/set', OWN);
	fireEvent.click(opened.getByRole('button', { name: brandTexts.takeBack }));
	await screen.findByText(brandTexts.nothingToTakeBack);
	assert.deepEqual(service.calls('/operator/brand/set').map(withoutAct), [OWN]);
	assert.equal(screen.queryByRole('button', { name: brandTexts.takeBack }), null);
});

test('people of resellers have no such page', async (t) => {
	serviceFor(t, ANN);
	open(t, '/brand');
	await screen.findByText(shellTexts.notFound);
	assert.equal(screen.queryByRole('link', { name: pageNames.brand }), null);
});
