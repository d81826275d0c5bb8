import { chromium } from 'playwright-core';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--allow-file-access-from-files'] });
const page = await browser.newPage({ viewport: { width: 1640, height: 1700 } });
const { writeFileSync } = await import('node:fs');
writeFileSync('/tmp/bp/x.html', '<body style="margin:0;display:flex;gap:20px;background:#888">' + process.argv.slice(2).map((a) => { const [f, y] = a.split(':'); return `<div style="width:390px;height:1700px;overflow:hidden"><img style="margin-top:-${y ?? 0}px" src="/tmp/bp/shots/${f}.png"></div>`; }).join('') + '</body>');
await page.goto('file:///tmp/bp/x.html'); await page.screenshot({ path: '/tmp/bp/combo.png' }); await browser.close();
