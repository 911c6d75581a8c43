// kubectl-yaml reads YAML as kubectl does, of any texts, to be compared with our own reader.
//
// Standard input is a JSON list of texts, standard output a list of answers: the objects of a text's documents, or
// the error of the first document that cannot be read. A key that is twice is one, as in Kubernetes' strict validation.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
	sigs "sigs.k8s.io/yaml"
)

type answer struct {
	Documents []json.RawMessage `json:"documents"`
	Error     string            `json:"error,omitempty"`
}

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		log.Fatal(err)
	}
	answers := make([]answer, len(texts))
	for i, text := range texts {
		answers[i] = read(text)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		log.Fatal(err)
	}
}

func read(text string) answer {
	read := answer{Documents: []json.RawMessage{}}
	documents := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		document, err := documents.Read()
		if err == io.EOF {
			return read
		}
		if err != nil {
			return answer{Error: err.Error()}
		}
		object, err := sigs.YAMLToJSONStrict(document)
		if err != nil {
			return answer{Error: err.Error()}
		}
		if string(object) != "null" {
			read.Documents = append(read.Documents, object)
		}
	}
}
