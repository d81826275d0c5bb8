import type { ProxyProtocol } from '@bursar/contract/proxy-url';
import { quoteForShell, stringLiteral } from '../../format/quote.ts';
import { type Connection, connectionUrl, hostAndPort } from './connection.ts';

const PROGRAMS = ['environment', 'python', 'node', 'playwright', 'scrapy', 'go'] as const;
export type Program = (typeof PROGRAMS)[number];

/** What the examples read. */
const PAGE = 'https://example.com/';

/** A command that reads a page through the proxy. With SOCKS5, the proxy resolves the name (`socks5h`). */
export function curlCommand(connection: Connection): string {
	return `curl -x ${quoteForShell(urlFor(connection))} ${PAGE}`;
}

/** The usual programs that can sign in to a proxy of this protocol. Browsers and Scrapy cannot with SOCKS5. */
export function programsFor(protocol: ProxyProtocol): readonly Program[] {
	return protocol === 'socks5' ? PROGRAMS.filter((name) => !['playwright', 'scrapy'].includes(name)) : PROGRAMS;
}

/** The lines of code or the command with which a program uses the proxy. */
export function snippet(program: Program, connection: Connection): string {
	return SNIPPETS[program](connection);
}

const SNIPPETS: Readonly<Record<Program, (connection: Connection) => string>> = {
	environment,
	python,
	node,
	playwright,
	scrapy,
	go,
};

/** wget knows neither SOCKS5 nor HTTPS to the proxy. */
function environment(connection: Connection): string {
	const url = quoteForShell(urlFor(connection));
	const { protocol } = connection.proxy;
	if (protocol === 'socks5') return `export all_proxy=${url}\ncurl ${PAGE}`;
	return `export http_proxy=${url}
export https_proxy="$http_proxy"
${protocol === 'http' ? 'wget -qO -' : 'curl'} ${PAGE}`;
}

function python(connection: Connection): string {
	const needs = connection.proxy.protocol === 'socks5' ? '# pip install "requests[socks]"\n' : '';
	return `${needs}import requests

proxy = ${stringLiteral(urlFor(connection))}
answer = requests.get("${PAGE}", proxies={"http": proxy, "https": proxy})
print(answer.status_code)`;
}

function node(connection: Connection): string {
	if (connection.proxy.protocol === 'socks5') return nodeOverSocks(connection);
	return `// npm install undici
import { fetch, ProxyAgent } from "undici";

const dispatcher = new ProxyAgent(${stringLiteral(connectionUrl(connection))});
const answer = await fetch("${PAGE}", { dispatcher });
console.log(answer.status);`;
}

function nodeOverSocks(connection: Connection): string {
	return `// npm install socks-proxy-agent
import { get } from "node:https";
import { SocksProxyAgent } from "socks-proxy-agent";

const agent = new SocksProxyAgent(${stringLiteral(urlFor(connection))});
get("${PAGE}", { agent }, (answer) => console.log(answer.statusCode));`;
}

function playwright({ proxy, username, password }: Connection): string {
	return `// npm install playwright
import { chromium } from "playwright";

const browser = await chromium.launch({
  proxy: {
    server: ${stringLiteral(`${proxy.protocol}://${hostAndPort(proxy)}`)},
    username: ${stringLiteral(username)},
    password: ${stringLiteral(password)},
  },
});
const page = await browser.newPage();
await page.goto("${PAGE}");
console.log(await page.title());
await browser.close();`;
}

function scrapy(connection: Connection): string {
	return `# in start() or a callback of the spider
yield scrapy.Request("${PAGE}", meta={"proxy": ${stringLiteral(connectionUrl(connection))}})`;
}

function go(connection: Connection): string {
	return `package main

import (
	"fmt"
	"net/http"
	"net/url"
)

func main() {
	proxy, err := url.Parse(${stringLiteral(connectionUrl(connection))})
	if err != nil {
		panic(err)
	}
	client := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	answer, err := client.Get("${PAGE}")
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	fmt.Println(answer.Status)
}`;
}

/** With `socks5`, some programs would resolve the name themselves. */
function urlFor(connection: Connection): string {
	return connectionUrl(connection, connection.proxy.protocol === 'socks5' ? 'socks5h' : undefined);
}
